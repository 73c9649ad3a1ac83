import { MapPin, Minus, Pencil, Plus, TriangleAlert } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import {
  countApps,
  describeEffect,
  describeEveryApp,
  describePrompt,
  describeSum,
  describeUntouched,
  type GroupEffect,
  type RpcEffect,
} from "./effect-labels";
import { ChangeSign } from "@/app/_components/diff/change-sign";
import { RejectedCalls } from "@/app/_components/rights/rejected-calls";
import { PermissionLink } from "@/app/_components/rights/permission-link";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { Notice } from "@/app/_components/feedback/notice";
import type { EffectAnswer } from "@/lib/records/groups/wire";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";
import { describeOnly } from "@/lib/vocabulary/head-units";
import { riskOfParameter, riskOfRpc } from "@/lib/vocabulary/risk";

const icons = { gained: Plus, lost: Minus, changed: Pencil } as const;

export function EffectList({ effect }: Readonly<{ effect: EffectAnswer }>) {
  const sum = describeSum(effect);
  return (
    <div className="space-y-3 text-table text-text">
      {effect.is_registration_lost && <NoRegistration environment={effect.environment} />}
      {effect.is_update_lost && <NoUpdate environment={effect.environment} />}
      {effect.findings.length > 0 && <Surprises effect={effect} />}
      {sum !== "" && <p className="text-muted">{sum}</p>}
      {effect.effects.length > 0 && (
        <ul className="space-y-3">
          {effect.effects.map((one) => (
            <OneEffect key={`${one.kind} ${one.group}`} effect={one} />
          ))}
        </ul>
      )}
      {effect.more_effects > 0 && <p className="text-muted">And {effect.more_effects} more effects on apps.</p>}
    </div>
  );
}

function Surprises({ effect: { findings, more_findings: more } }: Readonly<{ effect: EffectAnswer }>) {
  return (
    <Notice tone="warn" title="Head units read these groups differently">
      <ul className="list-disc space-y-1 pl-5">
        {findings.map(({ rule, message }) => (
          <li key={`${rule} ${message}`}>{message}</li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
    </Notice>
  );
}

function NoRegistration({ environment }: Readonly<{ environment: EffectAnswer["environment"] }>) {
  return (
    <Notice tone="bad" title={`Apps may no longer register in ${environment}`}>
      The groups that every app gets would not allow RegisterAppInterface at the level NONE.
    </Notice>
  );
}

function NoUpdate({ environment }: Readonly<{ environment: EffectAnswer["environment"] }>) {
  return (
    <Notice tone="bad" title={`Vehicles can no longer update their policy in ${environment}`}>
      Apps bring the next policy table with OnSystemRequest and SystemRequest. The groups that every app gets would not
      allow both at the level NONE, so vehicles keep this table and take no correction of it.
    </Notice>
  );
}

function OneEffect({ effect }: Readonly<{ effect: GroupEffect }>) {
  const Icon = icons[effect.kind];
  const prompt = describePrompt(effect);
  const everyApp = describeEveryApp(effect);
  const real = effect.rpcs.filter(({ app_count: count }) => count > 0);
  const untouched = (kind: RpcEffect["kind"]) =>
    effect.rpcs.filter((rpc) => rpc.app_count + rpc.rejected_count === 0 && rpc.kind === kind);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
      <ChangeSign kind={effect.kind}>
        <Icon className="size-3" />
      </ChangeSign>
      <div className="min-w-0 space-y-1">
        <p className="font-semibold wrap-anywhere">{describeEffect(effect)}</p>
        {real.some(tellsPlace) && (
          <Chip tone="warn" icon={MapPin}>
            Where the vehicle is
          </Chip>
        )}
        {everyApp !== null && <p>{everyApp}</p>}
        <AppNames apps={effect.apps} count={effect.app_count} />
        {prompt !== null && (
          <p className={cn("flex gap-1.5", prompt.isRisky && real.length > 0 ? "text-warn" : "text-muted")}>
            {prompt.isRisky && real.length > 0 && (
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            )}
            <span className="min-w-0 wrap-anywhere">{prompt.text}</span>
          </p>
        )}
        <RpcLines rpcs={real} appCount={effect.app_count} showsSign={effect.kind === "changed"} />
        <RejectedCalls calls={effect.rejected} className="space-y-1" />
        {(["gained", "lost"] as const).map((kind) => {
          const rpcs = untouched(kind);
          return rpcs.length > 0 && <Untouched key={kind} rpcs={rpcs} />;
        })}
      </div>
    </li>
  );
}

function tellsPlace({ name, kind, parameters }: RpcEffect): boolean {
  const isPlace = riskOfRpc(name) === "location" || parameters.some((key) => riskOfParameter(key) === "location");
  return isPlace && kind === "gained";
}

function Untouched({ rpcs }: Readonly<{ rpcs: readonly RpcEffect[] }>) {
  return (
    <p className="text-xs text-muted wrap-anywhere" title={rpcs.map(({ name }) => name).join(", ")}>
      {describeUntouched(rpcs)}
    </p>
  );
}

const namesAtOnce = 3;

export function AppNames({ apps, count }: Readonly<{ apps: EffectAnswer["holders"]; count: number }>) {
  const more = count - namesAtOnce;
  const list = (some: EffectAnswer["holders"]) =>
    some.map(({ id, name }, at) => (
      <span key={id}>
        {at > 0 && ", "}
        <Link href={`/applications/${id}`} className="wrap-anywhere">
          {name}
        </Link>
      </span>
    ));
  if (more <= 0) return <p>{list(apps)}</p>;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer pointer-coarse:min-h-11">
        {apps
          .slice(0, namesAtOnce)
          .map(({ name }) => name)
          .join(", ")}{" "}
        and {formatNumber(more)} more
      </summary>
      <p className="mt-1 max-h-32 overflow-y-auto" tabIndex={0} role="group" aria-label="Apps">
        {list(apps)}
        {count > apps.length && ` and ${countApps(count - apps.length)} more`}
      </p>
    </details>
  );
}

const rpcsAtOnce = 6;

function RpcLines({
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
      <PermissionLink rpc={name} className="font-mono text-xs" />
      {parameters.length > 0 && <> ({parameters.join(", ")})</>}
      {levels.length > 0 && <span className="text-xs text-muted"> {levels.join(", ")}</span>}
      {builds.length === 1 && <span className="text-xs text-muted"> · {describeOnly(builds)}</span>}
      {count < appCount && <span className="text-xs text-muted"> · {countApps(count)}</span>}
    </li>
  );
}
