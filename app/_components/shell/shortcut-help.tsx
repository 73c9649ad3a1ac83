import { Dialog } from "@/app/_components/overlay/dialog";
import { keyedPages } from "@/app/_components/shell/navigation/sections";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { usePreference } from "@/app/_components/hooks/use-preference";

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, act: string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl/⌘ K", "Search everything"],
      ["?", "This list"],
      ["Esc", "Close the open dialog or menu"],
      ["Ctrl/⌘ Enter", "Confirm the open dialog"],
      ["Ctrl/⌘ S", "Save the form"],
    ],
  ],
  [
    "Lists",
    [
      ["/", "Search"],
      ["j k ↓ ↑", "Next, previous row"],
      ["Enter e", "Open the row"],
      ["v", "Apps that wait: review one after the other"],
      ["x", "Select the row"],
      ["Shift x", "Select up to the row"],
    ],
  ],
  [
    "One item",
    [
      ["[ ]", "Previous, next item of the list"],
      ["e", "Edit in staging"],
      ["1 2 3", "App: move to staging, approve, limit"],
      ["Ctrl/⌘ ↓ ↑", "Message: next, previous language"],
    ],
  ],
  [
    "Trees",
    [
      ["↓ ↑", "Next or previous line"],
      ["→ ←", "Open or close; move in or out"],
      ["Home End", "First or last line"],
    ],
  ],
  [
    "RPCs of a group",
    [
      ["↓ ↑ → ←", "Next cell"],
      ["Home End", "First, last cell of the row"],
      ["PgDn PgUp", "Ten rows down or up"],
      ["Space", "Set or remove the level"],
      ["Shift Space", "Set all levels down to it"],
    ],
  ],
];

/** The keyboard shortcuts of the console, and the switch for single keys. */
export function ShortcutHelp({ onClose }: Readonly<{ onClose: () => void }>) {
  const [setting, set] = usePreference("shortcuts");
  const sections = keyedPages.map(({ key, label }) => [`g ${key}`, label] as const);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Keyboard shortcuts"
      size="lg"
      footer={
        <div className="mr-auto">
          <SwitchField
            label="Single keys"
            hint="When off, only keys with Ctrl or ⌘ and keys inside lists work."
            checked={setting === "on"}
            onChange={(isOn) => set(isOn ? "on" : "off")}
          />
        </div>
      }
    >
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <div className="space-y-6">
          <Keys title="Go to" keys={sections} />
          {groups.slice(-2).map(([title, keys]) => (
            <Keys key={title} title={title} keys={keys} />
          ))}
        </div>
        <div className="space-y-6">
          {groups.slice(0, -2).map(([title, keys]) => (
            <Keys key={title} title={title} keys={keys} />
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function Keys({ title, keys }: Readonly<{ title: string; keys: readonly (readonly [keys: string, act: string])[] }>) {
  return (
    <section>
      <h3 className="mb-2 text-xs font-semibold text-muted">{title}</h3>
      <dl className="space-y-1.5">
        {keys.map(([combination, act]) => (
          <div key={combination} className="flex items-center justify-between gap-4">
            <dt className="order-2 flex gap-1">
              {combination.split(" ").map((key) => (
                <kbd
                  key={key}
                  className="grid h-5 min-w-5 place-items-center rounded-[4px] border border-edge bg-surface px-1 font-sans text-2xs font-medium text-muted"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{act}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
