"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { Section } from "@/app/_components/section";

// Its fields weigh more than the rest of the page, and are seldom wanted.
const Preferences = dynamic(() => import("./preferences").then((m) => m.Preferences), { ssr: false });

/** The choices of the reader, once they are asked for. */
export function PreferencesSection() {
  const [isShown, setIsShown] = useState(false);
  return (
    <Section title="Preferences" description="Kept in this browser. The theme is in the bar above.">
      {isShown ? (
        <Preferences />
      ) : (
        <Button
          onClick={() => {
            setIsShown(true);
          }}
        >
          Change preferences
        </Button>
      )}
    </Section>
  );
}
