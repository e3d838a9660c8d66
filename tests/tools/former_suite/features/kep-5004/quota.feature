@profile:kep @profile:since-1.35
Feature: Quotas of devices and extended resources
  A quota of an extended resource, of the implicit name of its class and of the devices of the class count the same
  devices. Only device plugins add to the explicit name alone.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"
    And the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: plugin, labels: {kubernetes.io/hostname: plugin}}
      status: {allocatable: {example.com/gpu: 4}}
      """
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
    And a node "dra" with the labels
      | label                  | value |
      | kubernetes.io/hostname | dra   |

  Rule: A quota that is used up refuses whatever counts in it

    @case:a-claim-from-a-template-is-not-made-where-the
    @KEP-5004/quota/explicit-counts-resource-claims
    Scenario: A claim from a template is not made where the extended resource is used up
      Given a quota "q" of 1 of "requests.example.com/gpu"
      And a template "t" requesting 2 devices of class "mygpuclass"
      When the cluster settles
      When a pod "p" that uses the template "t" is created
      Then it is stored
      When the cluster settles
      Then pod "p" is pending
      And quota "q" counts 0 of "requests.example.com/gpu"
