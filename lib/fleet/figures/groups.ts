import "server-only";
import type { GroupFigures } from "@/lib/fleet/figures/answer-schema";
import { rank, tell, tellShare } from "@/lib/fleet/figures/counts";
import { loadShare, loadSums } from "@/lib/fleet/figures/load-values";
import { describeScope, type Scope } from "@/lib/fleet/figures/scope";

/** Drivers' consents by functional group, the most frequent first. @throws DatabaseUnavailable */
export async function loadGroups(scope: Scope): Promise<GroupFigures> {
  const [groups, share] = await Promise.all([loadSums("groups", scope), loadShare(scope)]);
  return {
    ...describeScope(scope),
    share,
    groups: rank(groups, ({ yes = 0, no = 0 }) => yes + no).map(({ value: name, counters, count }) => {
      const { yes = 0, no = 0 } = counters;
      const isTold = tell(yes) !== null && tell(no) !== null;
      return { name, yes: tell(yes), no: tell(no), share: isTold ? tellShare(yes, count) : null };
    }),
  };
}
