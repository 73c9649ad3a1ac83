import dynamic from "next/dynamic";
import {
  type ComponentType,
  type FunctionComponent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { type Opened, type OpenerProps, useOpener } from "@/app/_components/overlay/opener";
import { useActivity } from "@/app/_components/hooks/use-activity";
import { Skeleton } from "@/app/_components/ui/skeleton";

/*
 * What a page needs only for somebody who acts on it: dialogs, menus and lists to choose from. Their code is fetched when
 * the reader first points at or types into the page, which is usually before it is needed.
 */

type Load<Props> = () => Promise<FunctionComponent<Props>>;

/**
 * Makes a hook that gives a component once its code is there and somebody wants it; null until then. A failure is told,
 * and the code is fetched again when it is next wanted.
 */
export function onDemand<Props>(load: Load<Props>) {
  let found: FunctionComponent<Props> | null = null;
  const fetch = async () => (found ??= await load());

  return function useOnDemand(isWanted: boolean, onFailure?: () => void): FunctionComponent<Props> | null {
    const isActive = useActivity();
    const [Code, setCode] = useState<FunctionComponent<Props> | null>(null);
    const fail = useEffectEvent((error: unknown) => {
      if (!isWanted) return;
      showProblem(error);
      onFailure?.();
    });
    useEffect(() => {
      if (Code !== null || !(isActive || isWanted)) return;
      let isGone = false;
      fetch().then(
        (code) => {
          if (isWanted && !isGone) setCode(() => code);
        },
        (error: unknown) => {
          if (!isGone) fail(error);
        },
      );
      return () => {
        isGone = true;
      };
    }, [Code, isActive, isWanted]);
    return Code ?? (isWanted ? found : null);
  };
}

/**
 * Makes a dialog or menu, and the button that opens it, of one whose code is fetched on demand. Until it has the focus, no
 * key reaches the page below.
 */
export function overlay<Props extends object>(
  load: Load<Props & Opened>,
  popup?: "menu",
): FunctionComponent<Props & OpenerProps> {
  const useCode = onDemand(load);
  return function Overlay(props: Props & OpenerProps) {
    const [button, state] = useOpener(props, popup);
    const close = () => state.onOpenChange(false);
    const Code = useCode(state.open, close);
    return (
      <>
        {button}
        {state.open && <KeyHold onEscape={close} />}
        {Code && <Code {...props} {...state} />}
      </>
    );
  };
}

/** Makes a dialog that stands in the page only while it is open, of one whose code is fetched then. */
export function dialogOnDemand<Props>(load: Load<Props>): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <KeyHold /> });
}

/** Makes a part of a page of one whose code is fetched once it is shown; a skeleton stands there meanwhile. */
export function partOnDemand<Props>(load: Load<Props>, className: string): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <Skeleton className={className} /> });
}

const layers = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * Put where a dialog or menu is about to appear: drops all keys until the focus has moved there. Nobody can see yet what
 * they would do, and the page below must not act on them.
 */
export function KeyHold({ onEscape }: Readonly<{ onEscape?: () => void }>) {
  const escape = useEffectEvent(() => onEscape?.());
  useLayoutEffect(() => {
    // Opened from a layer, such as a menu that closes now: the focus may first go back to what that one was opened from.
    const isFromLayer = document.activeElement?.closest(layers) !== null;
    const below = new Set(isFromLayer ? document.querySelectorAll(layers) : []);
    const hold = (event: KeyboardEvent) => {
      const layer = document.activeElement?.closest(layers) ?? null;
      if (layer !== null && !below.has(layer)) {
        release();
        return;
      }
      event.stopImmediatePropagation();
      // Browsers may go on with their own.
      if (!/^F\d/.test(event.key)) event.preventDefault();
      if (event.type === "keydown" && event.key === "Escape") escape();
    };
    const release = () => {
      window.removeEventListener("keydown", hold, true);
      window.removeEventListener("keyup", hold, true);
    };
    window.addEventListener("keydown", hold, true);
    window.addEventListener("keyup", hold, true);
    return release;
  }, []);
  return null;
}

/**
 * Moves the focus in the step that shows a dialog, for those whose first key may follow at once: it is meant for what can
 * be seen. Base UI moves it a frame later.
 */
export function useFocusAtOnce(find: () => HTMLElement | null | undefined): void {
  const focus = useEffectEvent(() => find()?.focus());
  useLayoutEffect(() => {
    // Base UI must see first what had the focus, to give it back.
    queueMicrotask(() => focus());
  }, []);
}
