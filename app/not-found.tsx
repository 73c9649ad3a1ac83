import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="px-6">
      <NotFoundPanel title="Page not found">
        <p>There is nothing at this address.</p>
      </NotFoundPanel>
    </main>
  );
}
