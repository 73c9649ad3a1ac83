import { describeBytes, describeGrowth } from "@/app/_releases/labels";
import type { ReleaseEffectJson } from "@/lib/content/releases/answer-schema";

/** The size of the table for a vehicle without apps, before and after (L7). */
export function EffectSize({ bytes }: Readonly<{ bytes: ReleaseEffectJson["bytes"] }>) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-table tabular-nums">
      {(["plain", "gzip"] as const).map((kind) => {
        const { before, after } = bytes[kind];
        const growth = describeGrowth(before, after);
        return (
          <div key={kind} className="contents">
            <dt className="text-muted">{kind === "plain" ? "Table without apps" : "Compressed"}</dt>
            <dd>
              {growth === null ? (
                `${describeBytes(before)}, unchanged`
              ) : (
                <>
                  {describeBytes(before)} → {describeBytes(after)} <span className="text-muted">({growth})</span>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
