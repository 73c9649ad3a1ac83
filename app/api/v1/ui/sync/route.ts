import { syncAnswer } from "@/app/(console)/about/answer-schema";
import { findDirectoryRuntime } from "@/lib/apps/directory/runtime";
import { AppError } from "@/lib/platform/errors";
import { methods, route } from "@/app/_api/api-route";
import { loadSettings } from "@/lib/platform/settings";

/** Responds at once; `GET about` shows the progress. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Starts reading lists and apps from the app directory",
    needs: "edit",
    answer: syncAnswer,
    failures: ["invalid", "conflict"],
    handle: async () => {
      if (loadSettings().directory === "off") throw new AppError("invalid", "No app directory is configured");
      const started = await findDirectoryRuntime()?.startSync();
      if (!started) throw new AppError("unavailable");
      if (started.length === 0) throw new AppError("conflict", "The app directory is already being read");
      return { started };
    },
  }),
});
