import { returnedAnswer } from "@/lib/content/releases/answer-schema";
import { orAsk } from "@/lib/gate/approvals/ask";
import { saveReturn } from "@/lib/gate/publish/return-to-release";
import { returnBody } from "@/lib/gate/publish/schema";
import { releaseParams } from "@/lib/content/releases/schema";
import { methods, route } from "@/lib/routes/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Rolls production back to a release, as a new release, or with dry_run returns what that would change",
    needs: "publish",
    answer: returnedAnswer,
    input: { params: releaseParams, body: returnBody },
    failures: ["notFound", "conflict"],
    handle: ({ input: { params, body }, writer }) => {
      const { dry_run: _, ...wish } = body;
      return orAsk(writer, { kind: "return", ...wish, returnTo: params.n }, (asker) =>
        saveReturn(params.n, body, asker),
      );
    },
  }),
});
