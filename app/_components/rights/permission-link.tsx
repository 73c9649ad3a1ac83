import type { ReactNode } from "react";
import { Link } from "@/app/_components/ui/link";
import { permissionPath } from "@/lib/console/permissions/address";

/** The name of an RPC or parameter, as a link to its page. */
export function PermissionLink({
  rpc,
  parameter = null,
  children = parameter ?? rpc,
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
