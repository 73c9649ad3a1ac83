import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "RPC not found" };

export default function PermissionNotFound() {
  return (
    <NotFoundPanel title="RPC or parameter not found">
      <p>
        Neither the app directory, the RPC specification, vehicle data nor a functional group knows this name. Press
        Ctrl-K to search.
      </p>
    </NotFoundPanel>
  );
}
