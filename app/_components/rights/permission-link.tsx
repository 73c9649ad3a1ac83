import type { ReactNode } from "react";
import { Breakable } from "@/app/_components/ui/breakable";
import { Link } from "@/app/_components/ui/link";
import { permissionPath } from "@/app/(console)/rpcs/address";

export function PermissionLink({
  rpc,
  parameter = null,
  children = <Breakable text={parameter ?? rpc} />,
  ...props
}: Readonly<{
  rpc: string;
  parameter?: string | null;
  className?: string;
  tabIndex?: number;
  children?: ReactNode;
}>) {
  return (
    <Link
      {...props}
      href={permissionPath(rpc, parameter)}
      className={`text-inherit no-underline hover:underline ${props.className ?? ""}`}
    >
      {children}
    </Link>
  );
}
