import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { NumberField } from "@/app/_components/fields/number-field";
import { TextField } from "@/app/_components/fields/text-field";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Section } from "@/app/_components/ui/section";
import { recordOf } from "@/lib/vocabulary/members";
import { priorityLabels } from "@/lib/vocabulary/module-config-labels";
import {
  defaultRpcPriorities,
  isRpcName,
  type PriorityMap,
  priorityMapNames,
  priorityMaps,
  rpcPriorityLimits,
} from "@/lib/vocabulary/rpc-priorities";
import { Compared } from "./compared";
import type { FormPart, Priorities } from "./editable";

interface MapPart {
  readonly value: Priorities;
  readonly set: ((value: Priorities) => void) | null;
}

const legends: Readonly<Record<PriorityMap, string>> = {
  rpc_priority: "RPCs",
  app_priority: "App priorities",
  hmi_status_priority: "HMI levels",
};
const nameLabels: Readonly<Record<string, string>> = {
  ...priorityLabels,
  VOICE_COMMUNICATION: priorityLabels.VOICECOM,
};

/** The fields appear with the first priority, and stay while the reader clears them one by one. */
export function RpcPriorities({ value, set, production }: Readonly<FormPart>) {
  const [isOpen, setIsOpen] = useState(false);
  const table = value.rpc_priority_table;
  const isShown = isOpen || Object.values(table).some((map) => Object.keys(map).length > 0);
  const setEach = (valueOf: (map: PriorityMap) => Priorities) =>
    set?.({ rpc_priority_table: recordOf(priorityMapNames, valueOf) });
  return (
    <Section
      id="rpc-priorities"
      title="RPC priorities"
      description="Which RPC goes first if several need the screen or the voice at once: the one with the lowest number. No released SDL Core reads them, so today’s head units ignore them."
      actions={
        set &&
        (isShown ? (
          <Button
            size="sm"
            onClick={() => {
              setIsOpen(false);
              setEach(() => ({}));
            }}
          >
            Remove all
          </Button>
        ) : (
          <Button size="sm" onClick={() => setEach((map) => defaultRpcPriorities[map])}>
            Fill in defaults
          </Button>
        ))
      }
    >
      {isShown ? (
        <div className="space-y-4">
          {priorityMapNames.map((map) => {
            const change = (next: Priorities) => {
              setIsOpen(true);
              set?.({ rpc_priority_table: { ...table, [map]: next } });
            };
            const own = { value: table[map], set: set && change };
            const names = priorityMaps[map];
            return (
              <fieldset key={map} className="min-w-0">
                <legend className="flex w-full items-baseline justify-between gap-2 text-table font-semibold">
                  {legends[map]}
                  {set && (
                    <span className="text-xs font-normal">
                      <Compared value={own.value} production={production?.rpc_priority_table[map]} onRevert={change} />
                    </span>
                  )}
                </legend>
                {names === null ? <RpcRows {...own} /> : <KnownNames {...own} map={map} names={names} />}
              </fieldset>
            );
          })}
        </div>
      ) : (
        <p className="text-table text-muted">None. Policy tables don’t contain the section.</p>
      )}
    </Section>
  );
}

function RpcRows({ value, set }: MapPart) {
  const [typed, setTyped] = useState("");
  const rows = useRef<HTMLDivElement>(null);
  const names = Object.keys(value);
  const name = typed.trim();
  const problem = name === "" || isRpcName(name) ? null : "Must be named like UI.Alert";

  function changeAndFocus(next: Priorities, control: string) {
    flushSync(() => set?.(next));
    rows.current?.querySelector<HTMLElement>(control)?.focus();
  }

  function add() {
    if (name === "" || problem !== null) return;
    setTyped("");
    changeAndFocus({ ...value, [name]: value[name] ?? null }, `[data-row="${name}"] input`);
  }

  function remove(index: number) {
    const next = names.toSpliced(index, 1);
    const nearest = next[Math.min(index, next.length - 1)];
    changeAndFocus(
      Object.fromEntries(next.map((one) => [one, value[one] ?? null])),
      nearest === undefined ? "input" : `[data-act="remove-${nearest}"]`,
    );
  }

  return (
    <div ref={rows} className="mt-1.5 max-w-md space-y-2">
      {names.map((rpc, index) => (
        <div key={rpc} data-row={rpc} className="flex items-start gap-2">
          <span className="min-w-0 grow self-center text-table break-words">{rpc}</span>
          <NumberField
            className="w-28 shrink-0"
            label={`Priority of ${rpc}`}
            hideLabel
            name={`rpc_priority_table.rpc_priority.${rpc}`}
            {...rpcPriorityLimits}
            value={value[rpc] ?? null}
            onChange={set && ((number) => set({ ...value, [rpc]: number }))}
          />
          {set && (
            <IconButton icon={X} label={`Remove ${rpc}`} data-act={`remove-${rpc}`} onClick={() => remove(index)} />
          )}
        </div>
      ))}
      {set && (
        <div className="flex items-start gap-2">
          <TextField
            className="grow"
            label="RPC to add"
            hideLabel
            placeholder="UI.Alert"
            spellCheck={false}
            autoCapitalize="off"
            hint="RPCs that aren’t listed come last."
            error={problem}
            value={typed}
            onChange={setTyped}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
          <Button disabled={name === "" || problem !== null} onClick={add}>
            <Plus aria-hidden="true" />
            Add RPC
          </Button>
        </div>
      )}
    </div>
  );
}

function KnownNames({ value, set, map, names }: MapPart & Readonly<{ map: PriorityMap; names: readonly string[] }>) {
  return (
    <div className="mt-1.5 grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-4 gap-y-3">
      {names.map((name) => (
        <NumberField
          key={name}
          label={map === "app_priority" ? nameLabels[name] : name}
          hint={name === "EMERGENCY" && "Always first"}
          name={`rpc_priority_table.${map}.${name}`}
          {...rpcPriorityLimits}
          value={value[name] ?? null}
          onChange={
            set &&
            ((number) => {
              const { [name]: _, ...others } = value;
              set(number === null ? others : { ...others, [name]: number });
            })
          }
        />
      ))}
    </div>
  );
}
