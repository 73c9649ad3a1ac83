import { methods, route } from "@/app/_api/api-route";
import { matrixAnswer } from "@/lib/policy/why/answer-schema";
import { loadMatrix } from "@/app/_simulator/queries";
import { matrixQuery } from "@/lib/policy/why/schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    summary: "Shows what a version of an app requests and gets, by RPC and HMI level, with the reasons",
    needs: "read",
    answer: matrixAnswer,
    input: { query: matrixQuery },
    failures: ["notFound"],
    handle: ({ input }) => loadMatrix(input.query),
  }),
});
