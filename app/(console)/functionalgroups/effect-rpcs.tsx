import { describeOnly } from "@/lib/labels/head-units";
import { countApps, type RpcEffect } from "@/app/(console)/functionalgroups/effect-labels";
import { plural } from "@/lib/labels/format-number";

const rpcsAtOnce = 6;

/** The RPCs that apps gain or lose with a group, the first few at once. */
export function RpcLines({
  rpcs,
  appCount,
  showsSign,
}: Readonly<{ rpcs: readonly RpcEffect[]; appCount: number; showsSign: boolean }>) {
  const line = (rpc: RpcEffect) => (
    <RpcLine key={`${rpc.kind} ${rpc.name}`} rpc={rpc} appCount={appCount} showsSign={showsSign} />
  );
  const rest = rpcs.slice(rpcsAtOnce);
  if (rpcs.length === 0) return null;
  return (
    <>
      <ul className="space-y-1">{rpcs.slice(0, rpcsAtOnce).map(line)}</ul>
      {rest.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer text-muted pointer-coarse:min-h-11">
            {plural(rest.length, "more RPC")}
          </summary>
          <ul className="mt-1 space-y-1">{rest.map(line)}</ul>
        </details>
      )}
    </>
  );
}

function RpcLine({
  rpc: { name, kind, hmi_levels: levels, parameters, app_count: count, builds },
  appCount,
  showsSign,
}: Readonly<{ rpc: RpcEffect; appCount: number; showsSign: boolean }>) {
  return (
    <li className="min-w-0 wrap-anywhere">
      {showsSign && (
        <span className={kind === "lost" ? "text-bad" : "text-good"}>{kind === "lost" ? "Loses " : "Gains "}</span>
      )}
      <span className="font-mono text-xs">{name}</span>
      {parameters.length > 0 && <> ({parameters.join(", ")})</>}
      {levels.length > 0 && <span className="text-xs text-muted"> {levels.join(", ")}</span>}
      {builds.length === 1 && <span className="text-xs text-muted"> · {describeOnly(builds)}</span>}
      {count < appCount && <span className="text-xs text-muted"> · {countApps(count)}</span>}
    </li>
  );
}
