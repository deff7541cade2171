/* lcc predict: predictions of a saved model. */
#ifndef PREDICT_H
#define PREDICT_H

int predict_command(int argc, char **argv);

#endif
