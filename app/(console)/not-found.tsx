import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <NotFoundPanel title="Page not found">
      <p>There is nothing at this address. It may have been mistyped, or what it showed has been deleted.</p>
    </NotFoundPanel>
  );
}
