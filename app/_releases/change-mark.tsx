import { Minus, PenLine, Plus } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import type { ItemChange } from "@/lib/labels/release-items";

const looks = {
  add: { tone: "good", icon: Plus, word: "Add" },
  change: { tone: "warn", icon: PenLine, word: "Change" },
  delete: { tone: "bad", icon: Minus, word: "Remove" },
} as const;

export function ChangeMark({ change }: Readonly<{ change: ItemChange }>) {
  const { tone, icon, word } = looks[change];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}
