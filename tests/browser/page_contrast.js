/* Returns the text that stands out too little from its ground (WCAG 2.2 AA: 4.5, large text 3). */
() => {
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, read(colour));
    return known.get(colour);
  };
  const read = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3]));
  // Asked of each element once, from its parent's answer: a page has thousands of them.
  const once = (work) => {
    const answers = new Map();
    return (element) => {
      if (!answers.has(element)) answers.set(element, work(element));
      return answers.get(element);
    };
  };
  const groundOf = once((element) => element
    ? over(rgba(getComputedStyle(element).backgroundColor), groundOf(element.parentElement))
    : [255, 255, 255]);
  const faded = once((element) => element !== null
    && (getComputedStyle(element).opacity < 1 || faded(element.parentElement)));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  const pale = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent.trim()).join("");
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(":disabled, .disabled, [aria-disabled=true], .visually-hidden, option")) continue;
    if (faded(element)) continue;
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const shades = [luminance(over(rgba(style.color), ground)), luminance(ground)];
    const ratio = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) pale.push(`contrast ${ratio.toFixed(2)}: ${element.className} "${text.slice(0, 40)}"`);
  }
  return pale;
}
