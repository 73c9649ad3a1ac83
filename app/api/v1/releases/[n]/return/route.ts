import { returnedAnswer } from "@/lib/releases/answer-schema";
import { orRequestApproval } from "@/lib/releases/approvals/request-approval";
import { saveReturn } from "@/lib/releases/publish/return-to-release";
import { returnBody } from "@/lib/releases/publish/schema";
import { releaseParams } from "@/lib/releases/schema";
import { methods, route } from "@/app/_api/api-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    summary: "Rolls production back to a release, as a new release, or with dry_run returns what that would change",
    needs: "publish",
    answer: returnedAnswer,
    input: { params: releaseParams, body: returnBody },
    failures: ["notFound", "conflict"],
    handle: ({ input: { params, body }, writer }) => {
      const { dry_run: _, ...requested } = body;
      return orRequestApproval(writer, { kind: "return", ...requested, returnTo: params.n }, (asker) =>
        saveReturn(params.n, body, asker),
      );
    },
  }),
});
