#!/usr/bin/env node
// The command line: which command was meant, with which options, and what becomes of its errors. Each command's
// module is loaded only when it runs, so that small commands start fast.
import { Command, CommanderError, Option } from 'commander';
import { messageOf, ProtocolError, UserError } from './base/errors.ts';
import { complain } from './cli/output.ts';
import { packageVersion } from './system/version.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 already running (serve), 130 cancelled.`;

const ANSWER_CODES = `
Exit codes: 0 answered or nothing open, 1 not taken or left open, 2 wrong usage, 130 Ctrl+C.`;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const urlOption = (): Option =>
  new Option(
    '--url <address>',
    'where the service is: unix:///path, an absolute path or ws://host:port (default: its own socket)',
  ).env('OTTO_AGENTS_URL');

/** Runs one command line, without the words for node and script; resolves with the exit code. */
async function run(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command('otto-agents')
    .description('Runs coding agents as sessions that belong to no window.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ outputError: (text) => complain(text.replace(/^error: /, '').trimEnd()) })
    .exitOverride();

  program
    .command('serve')
    .description('run the service (also without any command)')
    .addOption(
      new Option('--listen <address>', 'a path, unix:/path or host:port of this machine').env(
        'OTTO_AGENTS_LISTEN',
      ),
    )
    .addOption(new Option('--config <file>', 'read only this agents.toml').env('OTTO_AGENTS_CONFIG'))
    .addOption(new Option('--state-dir <folder>', 'where sessions are kept').env('OTTO_AGENTS_STATE_DIR'))
    .option('--echo', 'serve an agent that repeats what you write')
    .action(async (options) => {
      code = await (await import('./cli/serve.ts')).serve(options);
    });
  program
    .command('ask [text...]')
    .description('ask one question and print the answer; `-` or a pipe gives the text')
    .option('--agent <id>', 'which agent (default: the first one)')
    .option('-C, --cwd <folder>', 'the folder the agent works in (default: this one)')
    .option('--mode <id>', 'the mode of the agent to work in')
    .addOption(urlOption())
    .action(async (text, options) => {
      code = await (await import('./cli/ask.ts')).ask(text, options);
    });
  program
    .command('answer [session]')
    .description(
      'answer what agents wait for, in one session or in all; at the keyboard, or by one of the options',
    )
    .option('--list', 'only list what is open')
    .option('--json', 'only list it, with all that is known, as JSON')
    .option('--request <id>', 'which of several to answer')
    .option('--option <id>', 'choose this option of a permission, or this way to sign in')
    .option('--refuse [reason]', 'refuse a permission; the agent is told the reason')
    .option('--set <question=value>', 'answer one question of a form (repeatable)', collect)
    .option('--accept', 'send a form without further answers')
    .option('--decline', 'decline a form')
    .addOption(urlOption())
    .addHelpText('after', ANSWER_CODES)
    .action(async (session, options) => {
      code = await (await import('./cli/answer.ts')).answer(session, options);
    });
  program
    .command('sessions')
    .description('list the sessions, newest first')
    .option('--json', 'print all that is known of them as JSON')
    .addOption(urlOption())
    .action(async (options) => {
      code = await (await import('./cli/sessions.ts')).sessions(options);
    });
  program
    .command('show [session]')
    .description('print what was said in a session: its id or the start of it (default: the newest)')
    .option('-f, --follow', 'go on until nothing runs or waits')
    .addOption(urlOption())
    .action(async (session, options) => {
      code = await (await import('./cli/show.ts')).show(session, options);
    });
  program
    .command('forget [session]')
    .description('remove a session from the service (default: the newest)')
    .option('--all', 'remove every session')
    .addOption(urlOption())
    .action(async (session, options) => {
      code = await (await import('./cli/forget.ts')).forget(session, options);
    });
  program
    .command('version')
    .description('print the version')
    .action(() => {
      console.log(packageVersion());
    });

  await program.parseAsync(withCommand(args), { from: 'user' });
  return code;
}

/** Options without a command in front of them are those of `serve`. */
function withCommand(args: readonly string[]): string[] {
  const [first = ''] = args;
  const ownOption = ['-h', '--help', '-V', '--version'].includes(first);
  return first === '' || (first.startsWith('-') && !ownOption) ? ['serve', ...args] : [...args];
}

/** The one place where a thrown thing becomes an exit code. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  complain(messageOf(error));
  if (error instanceof UserError) return error.exitCode;
  const expected = error instanceof ProtocolError;
  if (!expected && error instanceof Error && process.env['OTTO_AGENTS_LOG'] === 'debug') {
    console.error(error.stack);
  }
  return 1;
}

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
