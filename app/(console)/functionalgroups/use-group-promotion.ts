"use client";
import type { PromotionPlan } from "@/app/(console)/functionalgroups/promotion-plan";
import { describeProblem } from "@/app/_components/feedback/problem";
import { useAction } from "@/app/_components/hooks/use-action";
import { ApiError } from "@/lib/http/client";

/** Gives what promotes what groups need first, then the groups, each through its own route. */
export function useGroupPromotion(): (plan: PromotionPlan, force: boolean) => Promise<void> {
  const messages = useAction("/api/v1/messages/promote");
  const vehicleData = useAction("/api/v1/vehicle-data/promote");
  const groups = useAction("/api/v1/groups/promote");

  /** @throws ApiError which says what was promoted before it, if anything was */
  async function run(plan: PromotionPlan, force: boolean): Promise<void> {
    const done: string[] = [];
    try {
      if (plan.messages.length > 0) {
        await messages.run({ id: plan.messages, force });
        done.push("the messages");
      }
      if (plan.vehicleData.length > 0) {
        await vehicleData.run({ force });
        done.push("the vehicle data");
      }
      await groups.run({ id: plan.groups, force });
    } catch (failure) {
      if (done.length === 0) throw failure;
      // What went before stays in production: it would be wrong to say that nothing had happened.
      const sentence = `Promoted: ${done.join(" and ")}. Not promoted: the groups. ${describeProblem(failure)}`;
      const { status = 0, requestId = null, data = null } = failure instanceof ApiError ? failure : {};
      throw new ApiError(sentence, status, requestId, data);
    }
  }

  return run;
}
