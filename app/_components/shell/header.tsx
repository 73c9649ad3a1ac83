import { Link } from "@/app/_components/ui/link";
import { AccountMenu } from "@/app/_components/shell/account-menu";
import { ChangesButton } from "@/app/_components/shell/changes-button";
import { CommandPaletteButton } from "@/app/_components/shell/palette/command-palette-button";
import { EnvironmentSwitch } from "@/app/_components/shell/bars/environment-switch";
import { Logo } from "@/app/_components/shell/logo";
import { NavigationMenu } from "@/app/_components/shell/navigation/navigation-menu";
import { ShortcutHelpButton } from "@/app/_components/shell/shortcut-help-button";
import { ThemeMenu } from "@/app/_components/shell/theme-menu";

/** The bar at the top of every page of the console. */
export function Header({ version, canSignOut }: Readonly<{ version: string; canSignOut: boolean }>) {
  return (
    <div className="flex h-(--header) items-center gap-2 border-b border-line bg-page px-2 md:px-4">
      <NavigationMenu version={version} />
      <Link
        href="/"
        className="flex items-center gap-2 rounded-control px-1 py-1 font-semibold tracking-tight text-text no-underline"
      >
        <Logo />
        <span className="max-sm:sr-only">Policy Server</span>
      </Link>
      <div className="ml-auto flex items-center gap-1">
        <ChangesButton />
        <EnvironmentSwitch />
        <span aria-hidden="true" className="mx-1 h-5 w-px bg-line first:hidden max-sm:hidden" />
        <CommandPaletteButton />
        <ShortcutHelpButton />
        <ThemeMenu />
        {canSignOut && <AccountMenu />}
      </div>
    </div>
  );
}
