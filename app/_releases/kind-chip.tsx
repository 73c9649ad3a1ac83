import { ArrowRightLeft, Download, Rocket, Sprout, Undo2 } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import { kindLabels } from "@/app/_releases/labels";
import type { ReleaseKind } from "@/lib/labels/release-items";

const looks = {
  release: { tone: "accent", icon: Rocket },
  direct: { tone: "calm", icon: ArrowRightLeft },
  return: { tone: "warn", icon: Undo2 },
  import: { tone: "calm", icon: Download },
  first: { tone: "plain", icon: Sprout },
} as const;

export function KindChip({ kind }: Readonly<{ kind: ReleaseKind }>) {
  return <Chip {...looks[kind]}>{kindLabels[kind]}</Chip>;
}
