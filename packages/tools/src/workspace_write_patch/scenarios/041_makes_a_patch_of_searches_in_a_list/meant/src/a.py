import os
import sys

def first():
    return 1

def second():
    x = 3
    return x

def third():
    x = 3
    return x
