"use client";
import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  type ReactElement,
  type Ref,
  useEffect,
  useState,
} from "react";
import { useActivity } from "@/app/_components/use-activity";

/** What a layer gets besides its own props. */
export interface LayerProps {
  readonly trigger: ReactElement;
  readonly triggerRef: Ref<HTMLButtonElement>;
  /** The button was used before the layer was there. */
  readonly defaultOpen: boolean;
}

/** Layers whose code has been fetched, by what fetches it. */
const known = new WeakMap<() => Promise<unknown>, ComponentType<never>>();

/**
 * A button that opens a layer whose code is fetched when the reader begins to act. Until then the button is alone; then
 * the layer takes its place, keeps the focus where it was, and is open when the button has been used meanwhile.
 */
export function LazyLayer<Props extends object>({
  popup,
  trigger,
  load,
  props,
}: Readonly<{
  popup: "menu" | "dialog";
  trigger: ReactElement;
  load: () => Promise<ComponentType<Props & LayerProps>>;
  props: Props;
}>) {
  const isActive = useActivity();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const [loaded, setLoaded] = useState(() => {
    // One whose code is there begins with the layer. Never while a page of the server comes to life: nobody has acted.
    const Layer = isActive ? known.get(load) : undefined;
    return Layer ? { Layer: Layer as ComponentType<Props & LayerProps>, hadFocus: false } : null;
  });

  useEffect(() => {
    // A press on the button that stands here now would be lost when another one is let go.
    if (!isActive || isPressed || loaded) return;
    let isGone = false;
    void load().then((Layer) => {
      known.set(load, Layer as ComponentType<never>);
      if (!isGone) setLoaded({ Layer, hadFocus: button !== null && button === document.activeElement });
    });
    return () => {
      isGone = true;
    };
  }, [isActive, isPressed, loaded, load, button]);

  useEffect(() => {
    // The layer's own button has taken the place of the one that had the focus.
    if (loaded?.hadFocus) button?.focus();
  }, [loaded, button]);

  if (loaded) return <loaded.Layer {...props} trigger={trigger} triggerRef={setButton} defaultOpen={isWanted} />;
  return cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
    ref: setButton,
    "aria-haspopup": popup,
    "aria-expanded": false,
    onPointerDown: () => {
      setIsPressed(true);
    },
    onPointerLeave: () => {
      setIsPressed(false);
    },
    onClick: () => {
      setIsPressed(false);
      setIsWanted(true);
    },
  });
}
