// Shows on the page that a passkey was not accepted or the person cancelled; django-allauth's script raises the event.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const note = document.querySelector("[data-passkey-error]");
  if (note instanceof HTMLElement) note.hidden = false;
});
