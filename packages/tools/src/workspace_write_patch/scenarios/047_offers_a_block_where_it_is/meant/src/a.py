import os

def first():
    return 2

def second():
    x = 1
    return x

def third():
    x = 1
    return x
