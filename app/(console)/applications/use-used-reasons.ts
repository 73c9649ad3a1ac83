import { useStoredText } from "@/app/_components/hooks/use-preference";

const maxReasons = 4;

/** The reasons last given in this browser, to be offered again (WCAG 3.3.7). */
export function useUsedReasons() {
  const [text, store] = useStoredText("decision-reasons");
  const reasons = parse(text);
  return {
    reasons,
    remember: (reason: string) => {
      const given = reason.trim();
      if (given === "") return;
      store(JSON.stringify([given, ...reasons.filter((one) => one !== given)].slice(0, maxReasons)));
    },
  };
}

function parse(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
