import type { ReactElement } from "react";
import type { MenuProps } from "@/app/_components/overlay/menu-popup";
import { overlay } from "@/app/_components/overlay/on-demand";
import { Opener } from "@/app/_components/overlay/opener";

const MenuPopup = overlay(() => import("@/app/_components/overlay/menu-popup").then((m) => m.MenuPopup));

/**
 * A menu of actions or choices behind a button.
 *
 * @example
 * <Menu trigger={<IconButton icon={Ellipsis} label="Actions for Base-4" />} entries={[{ label: "Delete…", onSelect }]} />
 */
export function Menu({ trigger, ...props }: Readonly<MenuProps & { trigger: ReactElement }>) {
  return (
    <Opener popup="menu" trigger={trigger}>
      {(state) => <MenuPopup {...props} {...state} />}
    </Opener>
  );
}
