import { methods, route } from "@/lib/routes/route";
import { matrixAnswer } from "@/lib/simulator/answer-schema";
import { loadMatrix } from "@/lib/simulator/answers/queries";
import { matrixQuery } from "@/lib/simulator/schema";

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
