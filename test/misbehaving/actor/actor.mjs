#!/usr/bin/env node
// One agent that misbehaves as it is told, in the protocol of the program under whose name it was started. What it does
// is one JSON value in MISBEHAVE, so that the driver under test starts it like the real program.
import { DEEDS } from "./deeds.mjs";

const play = JSON.parse(process.env.MISBEHAVE);
const perform = async (steps, voice) => {
  for (const step of steps) await DEEDS[step.do]({ ...step, play, voice });
};

// Some go wrong before they have as much as read what they are asked.
await perform(play.early, undefined);
const { openVoice } = await import(`./${play.framing}.mjs`);
const voice = await openVoice(play);
await perform(play.steps, voice);
voice.finish();
