// What the scripted model does, read from the prompt: one directive a line, one step each, in order. Knows which
// tools carry a directive out in which agent; how an answer is sent is the business of the two APIs.

const QUESTIONS = [
  {
    id: 'colour',
    header: 'Colour',
    question: 'Which colour should it be?',
    options: [
      { label: 'Blue', description: 'Like the sea' },
      { label: 'Red', description: 'Like a warning' },
    ],
  },
  {
    id: 'parts',
    header: 'Parts',
    question: 'Which parts should change?',
    multiSelect: true,
    options: [
      { label: 'Dock', description: 'The bar below' },
      { label: 'Top bar', description: 'The bar above' },
      { label: 'Islands', description: 'The row of circles' },
    ],
  },
  {
    id: 'name',
    header: 'Name',
    question: 'What should it be called?',
    options: [
      { label: 'Otto', description: 'As it is' },
      { label: 'Anna', description: 'Another palindrome' },
    ],
  },
];

const TODOS = [
  { text: 'Look around', doing: 'Looking around', status: 'completed' },
  { text: 'Write it down', doing: 'Writing it down', status: 'in_progress' },
];

const REASON = 'Scripted command';

/** `[name of the tool, its input]` for each directive; the first tool that the agent declares is called. */
const TOOLS = {
  bash: (command) => [
    ['Bash', { command, description: REASON }],
    ['bash', { command, description: REASON }],
    ['exec_command', { cmd: command, sandbox_permissions: 'require_escalated', justification: REASON }],
  ],
  write: (rest) => {
    const [path, content] = halves(rest);
    return [
      ['Write', { file_path: path, content }],
      ['write', { filePath: path, content }],
    ];
  },
  read: (path) => [
    ['Read', { file_path: path }],
    ['read', { filePath: path }],
  ],
  ask: (count) => {
    const questions = QUESTIONS.slice(0, Number(count || QUESTIONS.length));
    return [
      [
        'AskUserQuestion',
        { questions: questions.map(({ id, ...rest }) => ({ multiSelect: false, ...rest })) },
      ],
      ['request_user_input', { questions: questions.map(({ multiSelect, ...rest }) => rest) }],
    ];
  },
  todo: () => [
    [
      'TodoWrite',
      { todos: TODOS.map(({ text, doing, status }) => ({ content: text, status, activeForm: doing })) },
    ],
    [
      'todowrite',
      { todos: TODOS.map(({ text, status }) => ({ content: text, status, priority: 'medium' })) },
    ],
  ],
  plan: (text) => [['ExitPlanMode', { plan: text }]],
  tool: (rest) => {
    const [name, json] = halves(rest);
    return [[name, JSON.parse(json || '{}')]];
  },
};

const LINE = new RegExp(
  `^(${[...Object.keys(TOOLS), 'think', 'say', 'slow', 'hang', 'result'].join('|')}):\\s*(.*)$`,
);

/** Whether a text tells the model what to do. */
export function isScript(text) {
  return text.split('\n').some((line) => LINE.test(line.trim()));
}

/**
 * The answer to a request for the prompt `text` that follows the `results` of its tool calls, from an agent that
 * has the tools `declared`: `{think?, call: {name, input}}` or `{think?, pieces, hang?}`; `hang` never comes to an end.
 */
export function answerTo(text, results, declared) {
  if (!isScript(text)) return { pieces: words(`Echo: ${text.trim()}`) };
  let left = results.length;
  let think;
  for (const line of text.split('\n')) {
    const [, word, rest] = LINE.exec(line.trim()) ?? [];
    if (word === undefined) continue;
    if (word === 'think') think = rest;
    else if (word === 'hang') return { think, pieces: words(rest).filter((each) => each !== ''), hang: true };
    else if (word === 'say') return { think, pieces: words(rest) };
    else if (word === 'result') return { think, pieces: words(String(results.at(-1))) };
    else if (word === 'slow') return { think, pieces: slices(...halves(rest)) };
    else if (left === 0) {
      const choices = TOOLS[word](rest);
      // Claude leaves out tools that are to be searched for, and takes calls of them all the same.
      const [name, input] = choices.find(([name]) => declared.includes(name)) ?? choices[0];
      return { think, call: { name, input } };
    } else {
      left -= 1;
      think = undefined;
    }
  }
  return { think, pieces: ['All ', 'done.'] };
}

function halves(rest) {
  const [, first = '', second = ''] = /^(\S+)\s*(.*)$/.exec(rest) ?? [];
  return [first, second];
}

function words(text) {
  return text.split(/(?<= )/);
}

function slices(count, text) {
  const size = Math.ceil(text.length / Number(count));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
    text.slice(n * size, (n + 1) * size),
  );
}
