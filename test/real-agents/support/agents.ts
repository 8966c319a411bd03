// The three real agents as a person would configure them, each with a home of its own and the scripted model.
// Says which of them are installed; none is ever looked for anywhere but in this folder's own packages.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type AgentName = 'claude' | 'codex' | 'opencode';

/** What an agents.toml entry holds beside `permissions = "ask"`. */
export interface AgentSetup {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  mode?: string;
  config?: Record<string, string>;
}

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const FILES: Record<AgentName, string> = {
  claude: join(packages, '.bin/claude-agent-acp'),
  codex: join(packages, '.bin/codex-acp'),
  opencode: join(packages, 'opencode-linux-x64-baseline/bin/opencode'),
};

/** Whether the agent can run here; prints why not. */
export function isInstalled(agent: AgentName): boolean {
  if (existsSync(FILES[agent])) return true;
  console.warn(`Skipped: ${agent} is not installed; run \`npm ci\` in test/real-agents`);
  return false;
}

/** To be called once a turn of the agent was as it should be; the gate counts these lines. */
export function ran(agent: AgentName): void {
  console.log(`real agent ran: ${agent}`);
}

/** Writes what `agent` reads from `home` and returns its configuration; `model` is the scripted model's address. */
export function setUp(agent: AgentName, home: string, model: string): AgentSetup {
  if (agent === 'claude') return claude(home, model);
  return agent === 'codex' ? codex(home, model) : opencode(home, model);
}

function claude(home: string, model: string): AgentSetup {
  return {
    name: 'Claude',
    command: process.execPath,
    args: [FILES.claude],
    env: {
      HOME: home,
      // As root Claude starts only in a sandbox, and takes no other value than this for one.
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    mode: 'default',
  };
}

function codex(home: string, model: string): AgentSetup {
  const provider = {
    name: 'Fake',
    base_url: `${model}/v1`,
    wire_api: 'responses',
    env_key: 'FAKE_KEY',
    requires_openai_auth: false,
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  const config = { model: 'scripted', model_provider: 'fake', model_providers: { fake: provider } };
  return {
    name: 'Codex',
    command: process.execPath,
    args: [FILES.codex],
    env: {
      HOME: home,
      FAKE_KEY: 'dummy',
      MODEL_PROVIDER: 'fake',
      CODEX_CONFIG: JSON.stringify(config),
    },
    // In its usual mode a second model answers instead of a person.
    mode: 'read-only',
  };
}

function opencode(home: string, model: string): AgentSetup {
  const provider = {
    npm: '@ai-sdk/anthropic',
    name: 'Fake',
    options: { baseURL: `${model}/v1`, apiKey: 'dummy' },
    models: { scripted: { name: 'Scripted', limit: { context: 200_000, output: 8_000 } } },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'fake/scripted',
    small_model: 'fake/scripted',
    enabled_providers: ['fake'],
    provider: { fake: provider },
    permission: { bash: 'ask', edit: 'ask' },
  };
  const folder = join(home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
  return {
    name: 'OpenCode',
    command: FILES.opencode,
    args: ['acp'],
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_STATE_HOME: join(home, '.local/state'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  };
}
