import { rolloutAnswer } from "@/lib/releases/answer-schema";
import { commandRollout, type rolloutCommands } from "@/lib/releases/rollout/commands";
import { methods, route } from "@/app/_api/api-route";

/** A command for the rollout that is alive (`fleet.md` S15). */
export function rolloutRoute(command: keyof typeof rolloutCommands, summary: string) {
  return methods({
    POST: route({
      summary,
      needs: "publish",
      answer: rolloutAnswer,
      failures: ["conflict"],
      handle: async ({ writer }) => ({ rollout: await commandRollout(command, writer) }),
    }),
  });
}
