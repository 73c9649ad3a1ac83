import type { MenuProps } from "@/app/_components/overlay/menu-popup";
import { overlay } from "@/app/_components/overlay/on-demand";

/**
 * @example <Menu trigger={<IconButton icon={Ellipsis} label="Actions" />} entries={[{ label: "Delete…", onSelect }]} />
 */
export const Menu = overlay<MenuProps>(
  () => import("@/app/_components/overlay/menu-popup").then((m) => m.MenuPopup),
  "menu",
);
