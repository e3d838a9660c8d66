// A Worker for pages opened from a folder: browsers start no worker from file:, so its script runs in an iframe.
// The search of the theme needs it and would load one from the network.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
      this.inside.importScripts = (...scripts) => scripts.reduce(
        (done, script) => done.then(() => this.load(script)), Promise.resolve());
      this.load(new URL(address, document.baseURI).href).then(() => {
        for (const data of this.waiting) this.tell(data);
        this.waiting = null;
      });
    }

    load(address) {
      return new Promise((loaded, failed) => {
        const script = this.inside.document.createElement("script");
        Object.assign(script, {src: address, onload: loaded, onerror: failed});
        this.inside.document.body.append(script);
      });
    }

    tell(data) {
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", {data}));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.tell(data);
    }
  };
  window.Worker = window.IFrameWorker;
}
