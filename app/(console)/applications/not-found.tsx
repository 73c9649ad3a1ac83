import type { Metadata } from "next";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export const metadata: Metadata = { title: "Application not found" };

export default function ApplicationNotFound() {
  return (
    <NotFoundPanel title="There is no such application">
      <p>
        The address names neither a version nor an app that this server knows. It may have been deleted in the app
        directory.
      </p>
    </NotFoundPanel>
  );
}
