import {
  BookOpenText,
  CarFront,
  CircleUserRound,
  KeyRound,
  LogOut,
  MessageSquarePlus,
  Monitor,
  Moon,
  ShieldPlus,
  Sun,
} from "lucide-react";
import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { consoleSections } from "@/app/_components/shell/navigation/sections";
import { mayDo, needOfPage, type Role } from "@/lib/vocabulary/roles";
import { pathOf } from "@/lib/platform/http/api-path";

const pages: readonly (PaletteItem & { readonly act: { readonly href: string } })[] = [
  ...consoleSections.map(({ label, href, icon }) => ({
    id: `page:${href}`,
    kind: "Pages",
    label,
    icon,
    act: { href },
  })),
  { id: "page:/you", kind: "Pages", label: "You", icon: CircleUserRound, act: { href: "/you" } },
  { id: "page:/access", kind: "Pages", label: "Access", icon: KeyRound, act: { href: "/access" } },
  { id: "page:/docs", kind: "Pages", label: "API description", icon: BookOpenText, act: { href: "/docs" } },
];

export const mayOpen = (role: Role, href: string): boolean => mayDo(role, needOfPage(pathOf({ url: href })));

export const listPages = (role: Role): readonly PaletteItem[] => pages.filter((page) => mayOpen(role, page.act.href));

const act = (label: string, icon: PaletteItem["icon"], what: PaletteItem["act"], words = ""): PaletteItem => ({
  id: `action:${label}`,
  kind: "Actions",
  label,
  icon,
  act: what,
  words,
});

export function listActions({
  setTheme,
  signOut,
}: {
  readonly setTheme: (theme: string) => void;
  /** Null: nobody is signed in. */
  readonly signOut: (() => void) | null;
}): PaletteItem[] {
  const theme = (label: string, icon: PaletteItem["icon"], name: string) =>
    act(`Theme: ${label}`, icon, { run: () => { setTheme(name); } }, "appearance mode"); // oxfmt-ignore
  const create = (label: string, icon: PaletteItem["icon"], path: string, word: string) =>
    act(label, icon, { href: `/${path}/manage?environment=staging` }, `new ${word}, add ${word}, create ${word}`);
  return [
    create("New functional group", ShieldPlus, "functionalgroups", "group"),
    create("New consumer message", MessageSquarePlus, "consumermessages", "message"),
    create("New vehicle data item", CarFront, "vehicledata", "data item"),
    theme("light", Sun, "light"),
    theme("dark", Moon, "dark"),
    theme("as the system", Monitor, "system"),
    ...(signOut ? [act("Sign out", LogOut, { run: signOut }, "log out")] : []),
  ];
}
