// What a person's browser guards.
const media = (constraints) => navigator.mediaDevices.getUserMedia(constraints).then(() => won("a stream"));
const position = () => new Promise((found, refused) => navigator.geolocation.getCurrentPosition(found, refused));

attacks.camera = () => media({ video: true });
attacks.microphone = () => media({ audio: true });
attacks.geolocation = async () => {
  await position();
  won("the position");
};
attacks["clipboard-write"] = async () => {
  const { state } = await navigator.permissions.query({ name: "clipboard-write" });
  // The answer is that of the browser for the whole page; what counts for this frame is its policy.
  if (state === "granted" && document.featurePolicy.allowsFeature("clipboard-write")) won("the clipboard");
};
attacks["declared-camera"] = attacks.camera;
attacks["declared-all"] = () => media({ video: true, audio: true });
