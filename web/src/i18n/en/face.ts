export default {
  title: 'Face to Face',
} as const;
