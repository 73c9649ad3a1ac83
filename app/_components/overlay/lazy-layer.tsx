"use client";
import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  type ReactElement,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { noteActivity, useActivity } from "@/app/_components/hooks/use-activity";

type TriggerElement = HTMLButtonElement | HTMLInputElement;

/** What a layer gets besides its own props. */
export interface LayerProps<Trigger extends TriggerElement = HTMLButtonElement> {
  readonly trigger: ReactElement;
  readonly triggerRef: Ref<Trigger>;
  /** The trigger was used before the layer was there. */
  readonly defaultOpen: boolean;
}

/** How a trigger was found when its layer was there. */
interface Handover<Layer> {
  readonly Layer: Layer;
  /** The trigger that stood there; what was typed into it can be read when it is gone, too. */
  readonly from: TriggerElement | null;
}

/** Layers whose code has been fetched, by what fetches it. */
const known = new WeakMap<() => Promise<unknown>, ComponentType<never>>();

/**
 * A button or an input that opens a layer whose code is fetched when the reader begins to act. Until then the trigger is
 * alone; then the layer takes its place, keeps the focus where it was and what was typed, and is open when the trigger
 * has been used meanwhile.
 */
export function LazyLayer<Props extends object, Trigger extends TriggerElement = HTMLButtonElement>({
  popup,
  trigger,
  load,
  props,
}: Readonly<{
  popup: "menu" | "dialog" | "listbox";
  trigger: ReactElement;
  load: () => Promise<ComponentType<Props & LayerProps<Trigger>>>;
  props: Props;
}>) {
  const isActive = useActivity();
  const [element, setElement] = useState<Trigger | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const [loaded, setLoaded] = useState<Handover<ComponentType<Props & LayerProps<Trigger>>> | null>(() => {
    // One whose code is there begins with the layer. Never while a page of the server comes to life: nobody has acted.
    const Layer = isActive ? known.get(load) : undefined;
    return Layer ? { Layer: Layer as ComponentType<Props & LayerProps<Trigger>>, from: null } : null;
  });

  useEffect(() => {
    // A press on the trigger that stands here now would be lost when another one is let go.
    if (!isActive || isPressed || loaded) return;
    let isGone = false;
    void load().then((Layer) => {
      known.set(load, Layer as ComponentType<never>);
      if (!isGone) setLoaded({ Layer, from: element });
    });
    return () => {
      isGone = true;
    };
  }, [isActive, isPressed, loaded, load, element]);

  // The focus can arrive after the code and before the layer: only when the first trigger goes is it certain.
  const hadFocus = useRef(false);
  const keepTrigger = useCallback((first: Trigger) => {
    setElement(first);
    return () => {
      hadFocus.current = first === document.activeElement;
    };
  }, []);

  const isHandedOver = useRef(false);
  // Before the browser handles another key, which would be pressed on nothing.
  useLayoutEffect(() => {
    if (!loaded || !element?.isConnected || isHandedOver.current) return;
    isHandedOver.current = true;
    // The layer's own trigger has taken the place of the one that had the focus.
    if (hadFocus.current) element.focus();
    const typed = readTyped(loaded.from);
    if (typed !== null) typeInto(element, typed);
  }, [loaded, element]);

  if (loaded) {
    // Typing opens by itself.
    const isOpen = isWanted && readTyped(loaded.from) === null;
    return <loaded.Layer {...props} trigger={trigger} triggerRef={setElement} defaultOpen={isOpen} />;
  }
  return cloneElement(trigger as ReactElement<ComponentProps<"button">>, {
    ref: keepTrigger as Ref<Trigger> as Ref<HTMLButtonElement>,
    "aria-haspopup": popup,
    "aria-expanded": false,
    // Aids for reading and speaking move the focus without a pointer or a key.
    onFocus: noteActivity,
    onInput: () => setIsWanted(true),
    onKeyDown: (event) => {
      if (popup !== "listbox" || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
      // Enter chooses; it must not send the form before there is something to choose.
      event.preventDefault();
      setIsWanted(true);
    },
    onPointerDown: () => setIsPressed(true),
    onPointerLeave: () => setIsPressed(false),
    onClick: () => {
      setIsPressed(false);
      setIsWanted(true);
    },
  });
}

function readTyped(element: TriggerElement | null): string | null {
  return element instanceof HTMLInputElement && element.value !== element.defaultValue ? element.value : null;
}

/** Types as the reader did. The setter is the element's own: React takes a value for typed that it has not set itself. */
function typeInto(element: HTMLElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(element, text);
  element.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
}
