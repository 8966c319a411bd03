// Our part of a tool call's `_meta`. Tool actions replace it, so it is made whole every time (acp-to-ahp 2.5).
import type { OttoToolMeta } from '../protocol/meta.ts';
import { bareDiffs } from './tool-edits.ts';
import type { ToolRecord } from './tool-record.ts';

export function toolMeta(record: ToolRecord, more: OttoToolMeta = {}): { otto: OttoToolMeta } {
  const { name, kind, wholeTitle, locations, locationsCut, parent, decision, exit } = record;
  const tool = {
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(wholeTitle !== undefined && { title: wholeTitle }),
  };
  const diffs = bareDiffs(record.diffs);
  return {
    otto: {
      ...(Object.keys(tool).length > 0 && { tool }),
      ...(locations.length > 0 && { locations }),
      ...(locationsCut > 0 && { locationsCut }),
      ...(diffs && { diffs }),
      ...(parent !== undefined && { parent }),
      ...(decision && { decision }),
      ...(exit && { exit }),
      ...more,
    },
  };
}
