// Lets the search of the site work for pages that are opened from a folder. The search runs in a Worker, which browsers
// refuse to start there; a hidden frame runs the same script instead. Loaded in place of the polyfill on unpkg.com.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    #started;
    #frame = document.createElement("iframe");

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#frame.srcdoc = "<!doctype html>";
      this.#started = new Promise((resolve) => {
        this.#frame.onload = () => this.#load([url]).then(resolve);
      });
      document.body.append(this.#frame);
    }

    async #load(urls) {
      const inside = this.#frame.contentWindow;
      inside.importScripts = (...more) => this.#load(more);
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      for (const src of urls)
        await new Promise((onload, onerror) => {
          const script = Object.assign(inside.document.createElement("script"), { src, onload, onerror });
          inside.document.head.append(script);
        });
    }

    async postMessage(data) {
      await this.#started;
      this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
