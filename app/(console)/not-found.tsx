import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <NotFoundPanel title="Page not found">
      <p>There is no page at this address. Check the spelling; the page may also have been deleted.</p>
    </NotFoundPanel>
  );
}
