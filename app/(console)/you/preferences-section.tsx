"use client";
import dynamic from "next/dynamic";
import { useState, useSyncExternalStore } from "react";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";

// Its fields are heavier than the rest of the page, and rarely used.
const Preferences = dynamic(() => import("./preferences").then((m) => m.Preferences), { ssr: false });

const id = "preferences";
const isAskedFor = () => window.location.hash === `#${id}`;
function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function PreferencesSection({ isNameVerified }: Readonly<{ isNameVerified: boolean }>) {
  const [isChosen, setIsChosen] = useState(false);
  const isLedTo = useSyncExternalStore(subscribe, isAskedFor, () => false);
  const isShown = isChosen || isLedTo;
  return (
    <Section id={id} title="In this browser" description="The theme is in the bar above.">
      {isShown ? (
        <Preferences isNameVerified={isNameVerified} />
      ) : (
        <Button onClick={() => setIsChosen(true)}>Change preferences</Button>
      )}
    </Section>
  );
}
