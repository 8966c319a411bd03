// What a chat is doing while tool calls run: the newest of them in one line, for views that show no parts
// (acp-to-ahp 1.1). Said at most four times a second; that nothing runs any more is said at once.
import { type Chat, type Core, later, type RunningTurn, setActivity } from './session.ts';
import { titleOf } from './tool-record.ts';

const PAUSE_MS = 250;

export function showRunning(core: Core, chat: Chat, turn: RunningTurn): void {
  const { activity } = turn;
  const running = [...turn.tools.values()].findLast(
    ({ state, decision }) => state === 'running' && decision?.allowed !== false,
  );
  const line = running && titleOf(running);
  if (line === undefined) {
    // What others say while no call runs stays.
    if (activity.line !== undefined) setActivity(core, chat, undefined);
    activity.line = undefined;
    return;
  }
  if (activity.timer || line === core.sequencer.chat(chat.uri).activity) return;
  const wait = activity.at + PAUSE_MS - core.clock.now();
  if (wait > 0) {
    activity.timer = later(core, wait, () => {
      activity.timer = undefined;
      showRunning(core, chat, turn);
    });
    return;
  }
  activity.line = line;
  activity.at = core.clock.now();
  setActivity(core, chat, line);
}
