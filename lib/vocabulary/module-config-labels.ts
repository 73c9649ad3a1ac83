/** Apart from `vocabulary.ts`, because only few pages need them. */
import type { NotificationPriority, refreshCounts } from "@/lib/vocabulary/terms";

export const priorityLabels: Readonly<Record<NotificationPriority, string>> = {
  EMERGENCY: "Emergency",
  NAVIGATION: "Navigation",
  PROJECTION: "Projection",
  VOICECOM: "Voice communication",
  COMMUNICATION: "Communication",
  NORMAL: "Normal",
  NONE: "None",
};

/** Follows the name in a sentence (`head-unit-rules.md` section 6). */
export const zeroCounts: Readonly<Record<(typeof refreshCounts)[number], string>> = {
  exchangeAfterXIgnitionCycles: "requests an update at every start: the number of starts is 0",
  exchangeAfterXKilometers: "requests an update each time that its odometer is reported: the distance is 0 km",
  exchangeAfterXDays: "requests an update each time that it looks at the date: the number of days is 0",
  timeoutAfterXSeconds: "never retries an update that gets no answer: the timeout is 0 s",
};
