// `npm test`: gets what the tests need and runs every one of them. Arguments go to vitest, for a single file say.
import { join } from 'node:path';
import { build, checkNode, installPackages, installTestPrograms, PROJECT, run, say } from './prepare.mjs';

checkNode();
installPackages(PROJECT);
installTestPrograms();
build();
if (!installPackages(join(PROJECT, 'test/real-agents'), { optional: true })) {
  say('The real coding agents could not be installed; their tests will be skipped.');
}
run('npx', ['vitest', 'run', ...process.argv.slice(2)]);
