import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Application not found" };

export default function ApplicationNotFound() {
  return (
    <NotFoundPanel title="Application not found">
      <p>This server knows no app or version with this address. It may have been deleted in the app directory.</p>
    </NotFoundPanel>
  );
}
