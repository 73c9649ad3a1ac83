import type { z } from "zod";
import { rpcMember } from "../group-form";
import type { GroupFacts } from "./group-facts";
import { saveGroupBody } from "@/lib/records/groups/schema";

/** The server would silently drop an RPC without a level, and would treat a name in use as an edit. */
export function checkGroup({ id, prompts }: GroupFacts, taken: readonly string[]): z.ZodType {
  return saveGroupBody.superRefine((body, context) => {
    if (id === 0 && taken.includes(body.name)) {
      context.addIssue({
        code: "custom",
        path: ["name"],
        message: "A group with this name already exists. Choose another name",
      });
    }
    const prompt = body.user_consent_prompt;
    if (prompt !== null && !prompts.some(({ category }) => category === prompt)) {
      const message = `${prompt} is no longer in staging. Choose another prompt or none`;
      context.addIssue({ code: "custom", path: ["user_consent_prompt"], message });
    }
    for (const { name, hmi_levels: levels } of body.rpcs) {
      if (levels.some(({ selected }) => selected)) continue;
      const message = "has no HMI level. Choose one or remove the RPC";
      context.addIssue({ code: "custom", path: [rpcMember(name)], message });
    }
  });
}
