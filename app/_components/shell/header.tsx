"use client";
import { CircleUserRound, Menu as MenuIcon, Monitor, Moon, Rocket, Search, Sun, SunMoon } from "lucide-react";
import { useTheme } from "next-themes";
import { useSyncExternalStore } from "react";
import { Menu } from "@/app/_components/overlay/menu";
import { overlay } from "@/app/_components/overlay/on-demand";
import { Logo } from "@/app/_components/shell/logo";
import { useCounters } from "@/app/_components/shell/navigation/counters";
import { openPalette } from "@/app/_components/shell/palette/command-palette";
import { type Reader, useReaderName } from "@/app/_components/shell/session/reader-name";
import { useRole } from "@/app/_components/shell/role";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Link } from "@/app/_components/ui/link";
import { LinkButton } from "@/app/_components/ui/link-button";
import { formatNumber } from "@/lib/vocabulary/format-number";

export function Header({ version, reader }: Readonly<{ version: string; reader: Reader }>) {
  return (
    <div className="flex h-(--header) items-center gap-2 border-b border-line bg-page px-2 md:px-4">
      <NavigationPanel
        trigger={<IconButton icon={MenuIcon} label="Sections" className="md:hidden pointer-coarse:max-sm:size-10" />}
        version={version}
      />
      <Link
        href="/"
        className="flex shrink-0 items-center gap-2 rounded-control px-1 py-1 font-semibold tracking-tight text-text no-underline"
      >
        <Logo />
        <span className="max-sm:sr-only">Policy Server</span>
      </Link>
      <div className="ml-auto flex items-center gap-1">
        <ChangesButton />
        <CommandPaletteButton />
        <ThemeMenu />
        <YouLink reader={reader} />
      </div>
    </div>
  );
}

export function ChangesButton() {
  const count = useCounters()?.unpublished_changes ?? 0;
  if (count === 0) return null;
  return (
    <LinkButton
      href="/changes"
      className="border-warn-line bg-warn-soft px-2 text-warn hover:bg-warn-soft hover:underline"
    >
      <Rocket aria-hidden="true" />
      <span className="tabular-nums">{formatNumber(count)}</span>{" "}
      {/* Without enough space, only screen readers get the words. */}
      <span className="max-xl:sr-only">{count === 1 ? "change" : "changes"} not in production</span>
    </LinkButton>
  );
}

const NavigationPanel = overlay<{ readonly version: string }>(() =>
  import("@/app/_components/shell/navigation/navigation-panel").then((m) => m.NavigationPanel),
);

export function CommandPaletteButton() {
  const isMac = useSyncExternalStore(
    () => () => undefined,
    () => navigator.platform.startsWith("Mac"),
    () => false,
  );
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="px-2 text-muted max-lg:size-8 max-lg:border-transparent max-lg:bg-transparent max-lg:p-0 max-lg:text-text pointer-coarse:max-lg:size-11 pointer-coarse:max-sm:size-10"
      onClick={openPalette}
    >
      <Search aria-hidden="true" />
      <span className="pr-10 font-normal max-lg:sr-only">
        Search <span className="sr-only">everything</span>
      </span>
      <kbd aria-hidden="true" className="font-sans text-2xs max-lg:hidden">
        {isMac ? "⌘ K" : "Ctrl K"}
      </kbd>
    </Button>
  );
}

const themes = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "Use system theme", icon: Monitor },
] as const;

function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  return (
    <Menu
      trigger={<IconButton icon={SunMoon} label="Theme" className="pointer-coarse:max-sm:size-10" />}
      entries={[{ value: theme, choices: themes, onChoose: setTheme }]}
    />
  );
}

export function YouLink({ reader }: Readonly<{ reader: Reader }>) {
  const role = useRole();
  const name = useReaderName(reader);
  return (
    <LinkButton
      href="/you"
      variant="ghost"
      className="max-w-60 px-2 max-lg:size-8 max-lg:p-0 pointer-coarse:max-lg:size-11 pointer-coarse:max-sm:size-10"
    >
      <CircleUserRound aria-hidden="true" />
      {name !== null && <span className="truncate max-lg:sr-only">{name}</span>}{" "}
      <span className={cn("max-lg:sr-only", name !== null && "font-normal text-muted")}>{role}</span>
    </LinkButton>
  );
}
